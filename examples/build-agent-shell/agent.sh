#!/bin/sh
# A build agent in POSIX shell: no Node, no jq. It builds a small greeting script and asks one question and one set.
#
# Parley starts it anew for each turn: the message is on stdin, TIDY_BUILD_ID, TIDY_BUILD_PROMPT and TIDY_SESSION_ID are in
# the environment, and each line it writes to stdout is one event. It may be killed at any moment and started again with
# the same message: everything it does is in a folder named after the session, and can be done again.
set -eu

folder=${BUILD_FOLDER:-builds}/$TIDY_SESSION_ID
pace=${BUILD_PACE_SECONDS:-1}
mkdir -p "$folder"

# The header ends with the first empty line; the notes of Parley come next, one on each line; the rest is the body, also
# where a person begins it with words like those of a note.
message=$(cat)
type=$(printf '%s\n' "$message" | sed -n 's/^\[MESSAGE_TYPE:\([A-Z_]*\)\]$/\1/p' | head -n 1)
notes='^System note: (headers above are|you were interrupted[.]|something you sent was not taken:|the person adds:) '
told=$(printf '%s\n' "$message" | sed '1,/^$/d' | awk -v notes="$notes" '$0 !~ notes { exit } { print }')
body=$(printf '%s\n' "$message" | sed '1,/^$/d' | awk -v notes="$notes" '!isBody && $0 ~ notes { next } { isBody = 1; print }')

send() { # type, and the rest of the payload as JSON
  printf '{"type":"%s","payload":{%s"source":"agent"}}\n' "$1" "${2:-}"
}
start() { # number, id, title, description
  send progress.step.started "\"step_id\":\"$2\",\"title\":\"$3\",\"description\":\"$4\",\"index\":$1,\"total\":7,"
}
complete() { send progress.step.completed "\"step_id\":\"$1\","; }

# A text as a JSON string, on one line.
json() { printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$/"/'; }
# One text field of a JSON object of texts; enough for the answers to a set. A quote inside is \" there.
field() {
  printf '%s\n' "$2" | sed -n 's/.*"'"$1"'":"\([^"\\]*\(\\.[^"\\]*\)*\)".*/\1/p' | awk '{
    for (i = 1; i <= length($0); i++) {
      c = substr($0, i, 1)
      if (c == "\\") { c = substr($0, ++i, 1); if (c == "n") c = "\n"; if (c == "t") c = "\t" }
      printf "%s", c
    }
  }'
}
# Whole or not at all.
keep() { cat >"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }

begin() {
  send status.changed '"status":"running",'
  start 1 build_record 'Starting your build' 'I’m setting up your build session.'
  complete build_record
  start 2 parse 'Understanding your request' 'I’m reading your request and mapping the plan.'
  sleep "$pace"
  complete parse
  start 3 research 'Gathering what we need' 'I’m collecting the tools and references for your build.'
}
plan() {
  complete research
  start 4 design 'Planning your agent' 'I’m creating the build plan for your agent.'
}
# Something it sent was not taken. What was taken is left out when it is said again: so it says everything from the beginning.
is_mending() { printf '%s\n' "$told" | grep -q '^System note: something you sent was not taken: '; }

case $type in
BUILD_REQUEST)
  begin
  send question.requested '"question_id":"q-tone","prompt":"How should the greeting sound?","input":"single_choice","required":true,"options":[{"id":"warm","label":"Warm"},{"id":"formal","label":"Formal"}],'
  ;;
USER_ANSWER)
  printf '%s' "$body" | keep tone
  if is_mending; then begin; fi
  plan
  send questions.requested '"question_set_id":"set-details","prompt":"Two details, and I can write it.","required_all":true,"questions":[{"question_id":"q-name","prompt":"Who is greeted?","input":"text"},{"question_id":"q-time","prompt":"At what time of day?","input":"single_choice","options":[{"id":"morning","label":"In the morning"},{"id":"evening","label":"In the evening"}]}],'
  ;;
USER_ANSWERS)
  if is_mending; then begin && plan; fi
  complete design
  start 5 assemble 'Building your agent' 'I’m assembling the pieces now.'
  sleep "$pace"
  opening=Hello
  if [ "$(cat "$folder/tone")" = formal ]; then opening=Dear; fi
  printf '%s' "$opening $(field q-name "$body"), good $(field q-time "$body")!" | keep greeting.txt
  printf '#!/bin/sh\ncat "$(dirname "$0")/greeting.txt"\n' | keep greeting.sh
  complete assemble
  start 6 validate 'Testing everything' 'I’m running checks to make sure everything works.'
  made=$(sh "$folder/greeting.sh")
  complete validate
  start 7 finalize Finalizing 'I’m wrapping up and preparing your result.'
  complete finalize
  send assistant.message.created '"text":"Your greeting is ready.",'
  send status.changed "\"status\":\"complete\",\"output\":$(json "$made"),"
  send session.completed
  ;;
*)
  echo "there is nothing to do for a message of type '$type'" >&2
  exit 2
  ;;
esac
