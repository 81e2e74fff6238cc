/** Every call of the guide by `openapi-fetch`, over types that `openapi-typescript` has made of the description. */
import { readFile } from 'node:fs/promises';
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './paths.ts';

const { CLEARFRAME_URL: baseUrl = '', CLEARFRAME_API_KEY: key = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': key } });
const photo = new Blob([await readFile('photo.jpg')], { type: 'image/jpeg' });

/** Printed at the end: each call with its status. */
const calls: string[] = [];
const record: Middleware = {
  onResponse: ({ request, schemaPath, response }) =>
    void calls.push(`${request.method} ${schemaPath} ${response.status}`),
};
client.use(record);

/** A file is the body as it is. */
const asFile = { headers: { 'content-type': 'image/jpeg' }, bodySerializer: (body: unknown) => body as Blob };

function required<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const { limits } = required(await client.GET('/api/v1/web/users/@me'));
if (typeof limits.exports_used !== 'number') throw new Error('the account has no limits');

const analysis = required(await client.POST('/api/v1/web/analyze', { body: photo, ...asFile }));
const wait = { Prefer: 'wait=60', 'Idempotency-Key': 'generated-1' };

const byForm = await client.POST('/api/v1/web/enhance', {
  params: { header: wait },
  body: { file: photo, pipeline: JSON.stringify(analysis.suggested_pipeline), format: 'jpeg' },
  bodySerializer: (fields) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields).reverse()) form.append(name, value as Blob | string);
    return form;
  },
  parseAs: 'blob',
});
required(byForm);

await client.POST('/api/v1/web/enhance', {
  params: { header: { Prefer: 'wait=60' } },
  body: { input_url: `${baseUrl}/samples/coffee-small.jpg`, pipeline: {}, format: 'jpeg' },
  parseAs: 'blob',
});

const started = required(
  await client.POST('/api/v1/web/enhance', { params: { query: { pipeline: '{}' } }, body: photo, ...asFile }),
);
if (!('task_id' in started)) throw new Error('the answer is no task');
const path = { taskId: started.task_id };
let task = required(
  await client.GET('/api/v1/web/tasks/{taskId}', { params: { path, header: { Prefer: 'wait=60' } } }),
);
while (task.status === 'processing')
  task = required(await client.GET('/api/v1/web/tasks/{taskId}', { params: { path, header: { Prefer: 'wait=60' } } }));

const { data: listed } = required(
  await client.GET('/api/v1/web/tasks', {
    params: { query: { limit: 1, status: ['completed'], media_type: 'image' } },
  }),
);
const [newest] = listed;
if (!newest) throw new Error('no task is listed');
await client.POST('/api/v1/web/tasks/{taskId}/changes', {
  params: { path: { taskId: newest.task_id } },
  body: {},
  parseAs: 'blob',
});

const batch = required(
  await client.POST('/api/v1/web/tasks/bulk-upload', {
    body: { input_task_list: [{ image_content_type: 'image/jpeg', ai_pipeline: {} }] },
  }),
);
for (const { upload_url: url, upload_headers: headers } of batch.task_list)
  await fetch(url, { method: 'PUT', headers, body: photo });
await client.POST('/api/v1/web/tasks/bulk-upload/{bulkUploadId}/process', {
  params: { path: { bulkUploadId: batch.bulk_upload_id } },
});

const bytes = await readFile('video.mp4');
const video = required(
  await client.POST('/api/v1/web/video-tasks', {
    body: {
      video_content_type: 'video/mp4',
      video_metadata: { size: bytes.length },
      ai_pipeline: { face_enhance: { model: 'base' } },
    },
  }),
);
await fetch(video.upload_url, { method: 'PUT', headers: video.upload_headers, body: bytes });
await client.POST('/api/v1/web/video-tasks/{videoTaskId}/process', {
  params: { path: { videoTaskId: video.video_task_id } },
});

required(await client.POST('/api/v1/web/upload-tokens', { body: { origin: 'https://shop.example' } }));

process.stdout.write(JSON.stringify(calls));
