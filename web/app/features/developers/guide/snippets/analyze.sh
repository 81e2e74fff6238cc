curl "https://clearframe.example/api/v1/web/analyze" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -H "Content-Type: image/jpeg" --data-binary @photo.jpg \
  --fail-with-body
