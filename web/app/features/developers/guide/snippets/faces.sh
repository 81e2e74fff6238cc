curl -sS "https://clearframe.example/api/v1/web/tasks?limit=1" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  --fail-with-body -o tasks.json
jq '.data[0].result.outputs[0] | {is_untouched, faces, changes, recipe}' tasks.json
