"""The same build as in Node and shell, in Python: a greeting, with one question and one set on the way."""
import os
import time

from lib import run

PACE_SECONDS = float(os.environ.get('BUILD_PACE_SECONDS', '0.3'))


def build(b):
    b.step('build_record')
    b.step('parse')
    time.sleep(PACE_SECONDS)
    b.step('research')
    tone = b.ask('q-tone', 'How should the greeting sound?', {'warm': 'Warm', 'formal': 'Formal'})
    b.step('design')
    details = b.ask_many(
        'set-details',
        'Two details, and I can write it.',
        {'q-name': 'Who is greeted?', 'q-time': ('At what time of day?', {'morning': 'In the morning', 'evening': 'In the evening'})},
    )
    b.step('assemble')
    time.sleep(PACE_SECONDS)
    opening = 'Dear' if tone == 'formal' else 'Hello'
    greeting = f"{opening} {details['q-name']}, good {details['q-time']}!"
    b.step('validate')
    b.step('finalize')
    b.finish('Your greeting is ready.', output=greeting)


run(build)
