api="https://clearframe.example/api/v1/web"
key="X-Api-Key: $CLEARFRAME_API_KEY"

curl -sS "$api/video-tasks" -H "$key" -H "Content-Type: application/json" \
  -d "{\"video_content_type\": \"video/mp4\", \"video_metadata\": {\"size\": $(wc -c < video.mp4)}, \"ai_pipeline\": {\"face_enhance\": {\"model\": \"base\"}}}" \
  --fail-with-body -o video.json
jq -r '.upload_headers | to_entries[] | "\(.key): \(.value)"' video.json > headers.txt
curl -sS -T video.mp4 -H @headers.txt "$(jq -r .upload_url video.json)" --fail-with-body

video=$(jq -r .video_task_id video.json)
curl -sS -X POST "$api/video-tasks/$video/process" -H "$key" --fail-with-body -o video.json
