api="https://clearframe.example/api/v1/web"
key="X-Api-Key: $CLEARFRAME_API_KEY"

# Start. The answer is the task.
curl -sS "$api/enhance" -H "$key" -F file=@photo.jpg --fail-with-body -o task.json
task="$api/tasks/$(jq -er .task_id task.json)"

# Ask every two seconds until the status is final.
until curl -sS "$task" -H "$key" --fail-with-body -o task.json &&
  jq -e '.status | IN("completed", "exported", "failed", "invalid", "cancelled")' task.json > state.txt
do sleep 2; done

# Download the result; the address is signed and needs no key.
curl -sS "$(jq -er .output_url task.json)" --fail -o better.png
