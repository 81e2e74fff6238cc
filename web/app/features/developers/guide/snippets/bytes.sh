curl "https://clearframe.example/api/v1/web/enhance?format=jpeg" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -H "Prefer: wait=60" \
  -H "Content-Type: image/jpeg" --data-binary @photo.jpg \
  --fail-with-body -o better.jpg
