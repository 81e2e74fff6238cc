curl "https://clearframe.example/api/v1/web/enhance" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -H "Prefer: wait=60" \
  -F mask=@mask.png \
  -F file=@photo.jpg \
  --fail-with-body -o masked.png
