curl "https://clearframe.example/api/v1/web/upload-tokens" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" -H "Content-Type: application/json" \
  -d '{"ai_pipeline": {"face_enhance": {"model": "v2"}}, "origin": "https://shop.example"}' \
  --fail-with-body
