"""A build agent in Python, without any package: copy this file beside your program.

Parley starts the program anew for each turn. The message is on stdin, its header block first; each line on stdout is one
event; stderr is for the operator. A question ends the turn, and its answer is the next one. Write the build as one
function from beginning to end, with an id for each question:

    from lib import run

    def build(b):
        b.step('build_record'); b.step('parse'); b.step('research')
        region = b.ask('q-region', 'Which region?', {'eu': 'Europe', 'us': 'US'})
        b.step('design'); b.step('assemble'); b.step('validate'); b.step('finalize')
        b.finish('Your list is ready.', output=f'# The list for {region}')

    run(build)

Each turn runs the function from its beginning. What was sent before is sent again, and Parley ignores it; what was
answered before is returned at once. So do nothing twice outside: check before you write.
"""
import json
import os
import re
import sys

STEPS = [
    ('build_record', 'Starting your build', 'I’m setting up your build session.'),
    ('parse', 'Understanding your request', 'I’m reading your request and mapping the plan.'),
    ('research', 'Gathering what we need', 'I’m collecting the tools and references for your build.'),
    ('design', 'Planning your agent', 'I’m creating the build plan for your agent.'),
    ('assemble', 'Building your agent', 'I’m assembling the pieces now.'),
    ('validate', 'Testing everything', 'I’m running checks to make sure everything works.'),
    ('finalize', 'Finalizing', 'I’m wrapping up and preparing your result.'),
]
NOTE = re.compile(
    r'^System note: (headers above are|you were interrupted\.|this is a new round|something you sent was not taken:|the person adds:) '
)
ADDED = 'System note: the person adds: '


class _TurnOver(Exception):
    """The build waits for a person."""


class Build:
    """One turn of a build: the request, what the person added and answered, and what the agent can do."""

    def __init__(self, message, folder):
        lines = message.split('\n')
        blank = lines.index('') if '' in lines else len(lines)
        header = dict(line[1:-1].split(':', 1) for line in lines[:blank])
        rest = lines[blank + 1 :]
        notes = []
        while rest and NOTE.match(rest[0]):
            notes.append(rest.pop(0))
        body = '\n'.join(rest).strip()
        self.prompt = os.environ.get('TIDY_BUILD_PROMPT', '')
        self.language = os.environ.get('PARLEY_LANGUAGE', 'en')
        self.folder = folder
        self._is_new = header.get('MESSAGE_TYPE') == 'BUILD_REQUEST'
        # All of a new start is sent; a turn that goes on begins after the question that was answered.
        self._is_again = self._is_new or any('was not taken:' in note or 'interrupted.' in note for note in notes)
        kept = self._read()
        self._answers = kept.get('answers', {})
        self.added = kept.get('added', []) + [note[len(ADDED) :] for note in notes if note.startswith(ADDED)]
        if self._is_new and body not in ('', self.prompt):
            self.added.append(body)
        if header.get('MESSAGE_TYPE') == 'USER_ANSWER':
            self._answers[header['QUESTION_ID']] = body
        if header.get('MESSAGE_TYPE') == 'USER_ANSWERS':
            self._answers.update(json.loads(body))
        self._asked_now = header.get('QUESTION_ID') or header.get('QUESTION_IDS', '').split(',')[0]
        self._is_silent = not self._is_again
        self._open = None
        self._write({'answers': self._answers, 'added': self.added})
        self._send('status.changed', status='running')

    def step(self, step_id):
        """Begins the next step; the one before it is completed by this."""
        self._complete()
        index = [step[0] for step in STEPS].index(step_id)
        _, title, description = STEPS[index]
        self._send('progress.step.started', step_id=step_id, title=title, description=description, index=index + 1, total=len(STEPS))
        self._open = step_id

    def say(self, text):
        """One or two short sentences for the person, only when they help."""
        self._send('assistant.message.created', text=text)

    def ask(self, question_id, prompt, options=None):
        """Asks one question and returns its answer: the text, or the id of an option. The first call ends the turn."""
        if question_id not in self._answers:
            question = self._question(question_id, prompt, options)
            self._send('question.requested', required=True, **{'options': [], **question})
            raise _TurnOver()
        self._reached(question_id)
        return self._answers[question_id]

    def ask_many(self, set_id, prompt, questions):
        """Asks several at once: {id: prompt} or {id: (prompt, options)}. Returns {id: answer}."""
        if not all(each in self._answers for each in questions):
            parts = [self._question(key, *((value,) if isinstance(value, str) else value)) for key, value in questions.items()]
            self._send('questions.requested', question_set_id=set_id, prompt=prompt, required_all=True, questions=parts)
            raise _TurnOver()
        for each in questions:
            self._reached(each)
        return {each: self._answers[each] for each in questions}

    def finish(self, summary, output=None):
        """The last call of a build that succeeded. `output` is the result, in Markdown."""
        self._complete()
        self.say(summary)
        self._send('status.changed', status='complete', **({} if output is None else {'output': output}))
        self._send('session.completed')

    def fail(self, summary, reason=None):
        """The last call of a build that cannot be done."""
        self.say(summary)
        self._send('status.changed', status='failed')
        self._send('session.failed', **({} if reason is None else {'reason': reason}))

    def _question(self, question_id, prompt, options=None):
        question = {'question_id': question_id, 'prompt': prompt, 'input': 'single_choice' if options else 'text'}
        if options:
            question['options'] = [{'id': key, 'label': label} for key, label in options.items()]
        return question

    def _reached(self, question_id):
        if question_id == self._asked_now:
            self._is_silent = False

    def _complete(self):
        if self._open is not None:
            self._send('progress.step.completed', step_id=self._open)
        self._open = None

    def _send(self, event, **payload):
        if not self._is_silent:
            print(json.dumps({'type': event, 'payload': {**payload, 'source': 'agent'}}, ensure_ascii=False), flush=True)

    def _read(self):
        try:
            with open(os.path.join(self.folder, 'answers.json'), encoding='utf8') as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def _write(self, kept):
        path = os.path.join(self.folder, 'answers.json')
        with open(path + '.new', 'w', encoding='utf8') as file:
            json.dump(kept, file)
        os.replace(path + '.new', path)


def run(build):
    """Plays one turn. The folder of the session is kept between turns."""
    sys.stdout.reconfigure(encoding='utf8')
    folder = os.path.join(os.environ.get('BUILD_FOLDER', 'builds'), os.environ.get('TIDY_SESSION_ID', 'session'))
    os.makedirs(folder, exist_ok=True)
    try:
        build(Build(sys.stdin.buffer.read().decode('utf8'), folder))
    except _TurnOver:
        pass
