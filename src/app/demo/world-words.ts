/** Texts of `parley demo --worlds`, in one language. */
export type DemoWorldWords = {
  ada: {
    about: string
    opener: string
    waits: string
    question: string
    answers: string
    report: string
    nextStep: string
    tells: string
    brief: string
    profile: string
    joinText: string
  }
  mira: { about: string; asks: string; recommends: string; report: string; tells: string; profile: string; joinText: string }
  /** In the owner's answer, and so in the document after it. */
  answerMark: string
  answer: string
  world: { name: string; summary: string; text: string }
  purpose: string
  title: string
  lines: {
    accounts(one: string, two: string): string
    world(name: string): string
    request(from: string, to: string, purpose: string): string
    accepted(who: string): string
    turn(who: string, text: string): string
    ownerAsked(who: string, question: string): string
    ownerAnswered(answer: string): string
    ended(reason: string): string
    report(who: string, text: string): string
    told(who: string, text: string): string
    done: string
  }
}
