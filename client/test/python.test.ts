import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useEnhance } from '../../api/test/support/enhance-fixture.js';
import { useFileHost } from '../../api/test/support/file-host.js';
import { maskOf, notPictures, picture, pngOf } from '../../api/test/support/pictures.js';
import { finishingAll } from './support/finishing-all.ts';
import { hasMask } from './support/masks.ts';

const MODULES = fileURLToPath(new URL('../python', import.meta.url));
const SECRET = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;

const enhance = useEnhance();
const { api, client, tasks } = enhance;
enhance.useWorker();

const host = useFileHost();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-python-'));
  await writeFile(join(folder, 'beach.png'), picture.png());
  await writeFile(join(folder, 'large.png'), picture.png(9_000_000));
  await writeFile(join(folder, 'notes.pdf'), notPictures.pdf);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script with a client, and returns what it prints, one JSON value a line. */
async function python(script: string, env: Record<string, string> = {}): Promise<unknown[]> {
  const text = `import json\nfrom clearframe import *\nclearframe = Clearframe()\n${script}`;
  const { stdout } = await promisify(execFile)('python3', ['-W', 'error', '-c', text], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: MODULES,
      PYTHONDONTWRITEBYTECODE: '1',
      CLEARFRAME_API_KEY: client().key,
      CLEARFRAME_URL: api().url,
      ...env,
    },
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('clearframe.py', () => {
  it('lists what keys had made, page by page', async () => {
    const { web_user_id: userId } = await enhance.owner().me();
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    for (const day of days)
      await api().sql(
        `INSERT INTO key_days (user_id, day, key_id, pictures) SELECT $1, $2, id, 7 FROM plugin_keys WHERE user_id = $1`,
        [userId, day],
      );
    const rows = await python(`
clearframe._json = (lambda call: lambda method, path: call(method, path.replace("limit=1000", "limit=2")))(clearframe._json)
for row in clearframe.usage(start="2026-01-01", end="2026-01-31"): print(json.dumps(row))
`);
    expect(rows).toEqual(days.map((day) => expect.objectContaining({ day, pictures: 7, videos: 0, failed: 0 })));
  });

  it('enhances a picture and saves the result whole', async () => {
    const [task, size] = await finishingAll(
      enhance,
      python(`
result = clearframe.enhance("beach.png", faces={"model": "v2", "strength": 0.8}, background=True, format="png")
result.save("better.png")
print(json.dumps(result.task()))
print(len(result.read()))
try:
    result.save("better.png", overwrite=False)
except FileExistsError:
    pass
`),
    );
    expect(task).toMatchObject({
      status: 'completed',
      input: { file_name: 'beach.png' },
      output_content_type: 'image/png',
      ai_pipeline: { face_enhance: { model: 'v2', strength: 0.8 }, background_enhance: { model: 'base' } },
    });
    expect(size).toBeGreaterThan(0);
    expect((await readdir(folder)).sort()).toEqual(['beach.png', 'better.png', 'large.png', 'notes.pdf']);
  });

  it('sends a mask beside the picture', async () => {
    const mask = maskOf(60, 40);
    await writeFile(join(folder, 'mask.png'), mask);
    await writeFile(join(folder, 'street.png'), pngOf(60, 40));
    const [task] = await finishingAll(
      enhance,
      python(
        'print(json.dumps(clearframe.enhance("street.png", mask="mask.png", color="golden", output_size="original").task()))',
      ),
    );
    expect(task).toMatchObject({ input: { file_name: 'street.png' }, ai_pipeline: { output_size: 'original' } });
    expect(await hasMask(api, (await enhance.onlyTask()).task_id, mask)).toBe(true);
  });

  it('sends a large picture in parts, and enhances it once', async () => {
    const [first, again, progress] = await finishingAll(
      enhance,
      python(`
first = clearframe.upload("large.png", color="golden", idempotency_key="one")
print(json.dumps(first))
print(json.dumps(clearframe.upload("large.png", color="golden", idempotency_key="one")))
seen = []
clearframe.result(first["task_id"], seen.append).save("better.png")
print(json.dumps(seen[-1]["status"]))
`),
    );
    expect(first).toMatchObject({ input: { size_bytes: 9_000_000 } });
    expect(again).toMatchObject({ task_id: (first as { task_id: string }).task_id });
    expect(progress).toBe('completed');
    expect(await tasks()).toHaveLength(1);
  });

  it('yields the pictures of a batch, lists and deletes them', async () => {
    const [items, count, left] = await finishingAll(
      enhance,
      python(`
import os
items = list(clearframe.batch(["beach.png", "notes.pdf", open("beach.png", "rb").read()], faces=True))
print(json.dumps(sorted([item.index, item.error and item.error.code] for item in items)))
ids = [task["task_id"] for task in clearframe.tasks(status=["completed"])]
print(len(ids))
clearframe.delete(ids)
print(len(list(clearframe.tasks())))
`),
    );
    expect(items).toEqual([
      [0, null],
      [1, 'uploads.unsupported_type'],
      [2, null],
    ]);
    expect([count, left]).toEqual([2, 0]);
  });

  it('sends addresses, and tokens for pages', async () => {
    const [items, token] = await finishingAll(
      enhance,
      python(
        `
import os
items = list(clearframe.batch(["beach.png", os.environ["ADDRESS"]], color="teal", callback_url=os.environ["ADDRESS"]))
print(json.dumps([item.error is None for item in items]))
token = clearframe.create_upload_token(faces="v2", format="png", expires_in_seconds=60)["token"]
page = Clearframe(token)
print(json.dumps(page.enhance("beach.png").headers["X-Clearframe-Task-Id"] is not None))
try:
    page.enhance("beach.png")
except ClearframeError as error:
    assert error.code == "upload_tokens.used"
`,
        { ADDRESS: host.serve('/beach.png', picture.png()) },
      ),
    );
    expect([items, token]).toEqual([[true, true], true]);
  });

  it('names what is wrong', async () => {
    const printError = (call: string) => `
try:
    ${call}
except ClearframeError as error:
    print(json.dumps([error.code, error.status, error.request_id is not None]))
`;
    const calls = [
      'clearframe.enhance("notes.pdf")',
      'Clearframe("cfk_wrong").me()',
      'Clearframe(base_url="http://127.0.0.1:9", retry_seconds=0).me()',
    ];
    expect(await python(calls.map(printError).join(''))).toEqual([
      ['uploads.unsupported_type', 415, true],
      ['users.not_authorized', 401, true],
      ['connection.failed', null, false],
    ]);
    await expect(python('clearframe.enhance("beach.png", face=True)')).rejects.toThrow('Unknown options: face');
  });

  it('verifies webhooks that standardwebhooks has signed', async () => {
    const [id, at, body] = [`msg_${randomUUID()}`, new Date(), JSON.stringify({ type: 'task.failed', data: 'Zoë' })];
    const headers = {
      'Webhook-Id': id,
      'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
      'Webhook-Signature': `v2,bm8= ${new Webhook(SECRET).sign(id, at, body)}`,
    };
    const script = `
import os
headers, secret, body = json.loads(os.environ["HEADERS"]), os.environ["SECRET"], os.environ["BODY"]
print(json.dumps(verify_webhook(body.encode(), headers, ["whsec_AAAA", secret])))
for wrong in [(body + " ", headers), (body, {**headers, "Webhook-Timestamp": "1"}), (body, {**headers, "Webhook-Id": "2"})]:
    try:
        verify_webhook(*wrong, secret)
    except ClearframeError as error:
        print(json.dumps(error.code))
`;
    const env = { HEADERS: JSON.stringify(headers), SECRET, BODY: body };
    expect(await python(script, env)).toEqual([JSON.parse(body), ...Array(3).fill('webhooks.signature_invalid')]);
  });
});
