curl "https://clearframe.example/api/v1/web/enhance" \
  -H "X-Api-Key: $CLEARFRAME_API_KEY" \
  -H "Idempotency-Key: order-1042-photo-1" \
  -F file=@photo.jpg \
  --retry 5 --fail-with-body -o task.json
