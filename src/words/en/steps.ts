import type { StepTexts } from '../../builds/rules/steps.ts'

export const steps: StepTexts = {
  build_record: { title: 'Starting your build', description: 'I’m setting up your build session.' },
  parse: { title: 'Understanding your request', description: 'I’m reading your request and mapping the plan.' },
  research: { title: 'Gathering what we need', description: 'I’m collecting the tools and references for your build.' },
  design: { title: 'Planning your agent', description: 'I’m creating the build plan for your agent.' },
  assemble: { title: 'Building your agent', description: 'I’m assembling the pieces now.' },
  validate: { title: 'Testing everything', description: 'I’m running checks to make sure everything works.' },
  finalize: { title: 'Finalizing', description: 'I’m wrapping up and preparing your result.' },
}
