# Start. The task's address is in Location.
task=$(curl -sS "https://clearframe.example/api/v1/web/enhance" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -F file=@photo.jpg \
  --fail-with-body -o task.json -w '%header{location}')

# Ask every two seconds until the status is final.
until curl -sS "$task" -H "X-Api-Key: $CLEARFRAME_API_KEY" --fail-with-body -o task.json &&
  jq -e '.status | IN("completed", "exported", "failed", "invalid", "cancelled")' task.json > state.txt
do sleep 2; done

# Download the result; the address is signed and needs no key.
curl -sS "$(jq -er .output_url task.json)" --fail -o better.png
