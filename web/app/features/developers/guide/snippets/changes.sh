api="https://clearframe.example/api/v1/web"
key="X-Api-Key: $CLEARFRAME_API_KEY"

task=$(curl -sS "$api/tasks?media_type=image&status=completed&limit=1" -H "$key" --fail-with-body | jq -er '.data[0].task_id')
curl -sS -X POST "$api/tasks/$task/changes" -H "$key" --fail-with-body -o changes.png
