curl "https://clearframe.example/api/v1/web/enhance" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -H "Prefer: wait=60" \
  -F 'pipeline={"face_enhance": {"model": "v2"}, "color_enhance": {"model": "golden", "strength": 0.6}}' \
  -F format=jpeg \
  -F file=@photo.jpg \
  --fail-with-body -o better.jpg
