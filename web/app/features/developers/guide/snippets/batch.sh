api="https://clearframe.example/api/v1/web"
key="X-Api-Key: $CLEARFRAME_API_KEY"

# Announce the pictures: each gets an address to send its bytes to.
curl -sS "$api/tasks/bulk-upload" -H "$key" -H "Content-Type: application/json" \
  -d '{"input_task_list": [{"image_content_type": "image/jpeg"}, {"image_content_type": "image/jpeg"}]}' \
  --fail-with-body -o upload.json

# Send the bytes with exactly the headers of the answer.
for i in 0 1; do
  jq -r ".task_list[$i].upload_headers | to_entries[] | \"\(.key): \(.value)\"" upload.json > headers.txt
  curl -sS -T photo.jpg -H @headers.txt "$(jq -r ".task_list[$i].upload_url" upload.json)" --fail-with-body
done

# Start.
batch=$(jq -r .bulk_upload_id upload.json)
curl -sS -X POST "$api/tasks/bulk-upload/$batch/process" -H "$key" --fail-with-body -o batch.json
