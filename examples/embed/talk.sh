#!/usr/bin/env bash
# Parley with curl alone. PARLEY_URL is where it runs, PARLEY_TOKEN from: parley token create
set -euo pipefail
call() { curl -sS --fail-with-body -H "Authorization: Bearer $PARLEY_TOKEN" -H 'Content-Type: application/json' "$@"; }

# Open a dialog and say the first words. The key makes it safe to send this again when the answer got lost.
opened=$(call "$PARLEY_URL/v1/dialogs" -H "Idempotency-Key: talk-1-$$" -d '{"text":"Hello"}')
dialog=$(sed -E 's/.*"id":"([^"]+)".*/\1/' <<<"$opened")

# Everything that happened so far, as JSON: continue with after=<seq of the last one>.
call "$PARLEY_URL/v1/events?stream=$dialog&after=0"
echo

# The same, live: first what was, then what comes. Each event's id is the number to resume after.
# Ends here after the question; a real reader stays, and comes back with Last-Event-ID or after=.
sed '/"type":"question.asked"/q' < <(call -N -H 'Accept: text/event-stream' "$PARLEY_URL/v1/events?stream=$dialog&after=0" 2>/dev/null)

# Everything that waits for a person.
call "$PARLEY_URL/v1/inbox"
