curl "https://clearframe.example/api/v1/web/users/@me" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  --fail-with-body
