curl "https://clearframe.example/api/v1/web/enhance" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" -H "Prefer: wait=60" -H "Content-Type: application/json" \
  -d '{"input_url": "https://clearframe.example/samples/astronaut.jpg", "format": "jpeg"}' \
  --fail-with-body -o better.jpg
