import { readFile, writeFile } from 'node:fs/promises';
import { megabytes, taskRoutes, type UploadTarget } from '@clearframe/contract';
import { ApiClient } from '../tests/support/api-client.ts';
import { enlargeJpeg } from '../tests/support/browser/network.ts';
import { smallPicture } from '../tests/support/payments/checkout.ts';
import { startProduct } from '../tests/support/product/product.ts';
import { publish, table } from './support/results.ts';

const UPLOADS = 50;
const FILE_MEGABYTES = 40;
const BAR_MEGABYTES = 400;

async function peakOf(pid: number): Promise<number> {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1_000_000;
}

const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

type Send = (target: UploadTarget, file: Uint8Array<ArrayBuffer>) => Promise<Response>;

const putWhole: Send = ({ uploadUrl, uploadHeaders }, body) =>
  fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body });

const TUS = { 'tus-resumable': '1.0.0' } as const;

const sendResumable: Send = async ({ resumableUrl }, body) => {
  const url = resumableUrl ?? '';
  for (let offset = 0; ; ) {
    const response = await fetch(url, {
      method: 'PATCH',
      headers: { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body: body.subarray(offset),
    }).catch(() => null);
    if (response) return response;
    const head = await fetch(url, { method: 'HEAD', headers: TUS });
    offset = Number(head.headers.get('upload-offset'));
    if (!head.ok || offset === body.length) return head;
  }
};

async function announce(guest: ApiClient, sizeBytes: number): Promise<UploadTarget> {
  const { taskList } = await guest.call(taskRoutes.createBulkUpload, {
    body: { imageContentType: 'image/jpeg', sizeBytes },
  });
  const [target] = taskList;
  if (!target) throw new Error('the response has no task');
  return target;
}

/** Memory of `api` while many large files are uploaded at once, through `web`. */
export async function benchUploads(): Promise<void> {
  const product = await startProduct();
  try {
    const file = new Uint8Array(enlargeJpeg(await smallPicture(), megabytes(FILE_MEGABYTES)));
    const pid = await product.pidOf('api');
    const guests: ApiClient[] = [];
    for (let n = 0; n < UPLOADS; n += 1) guests.push(await ApiClient.createGuest(product.url));
    const idle = await peakOf(pid);
    const measure = async (send: Send) => {
      const targets = await Promise.all(guests.map((guest) => announce(guest, file.length)));
      await resetPeak(pid);
      const start = performance.now();
      const responses = await Promise.all(targets.map((target) => send(target, file)));
      const seconds = (performance.now() - start) / 1000;
      const accepted = responses.filter(({ ok }) => ok).length;
      const taskIds = targets.map(({ taskId }) => taskId);
      await Promise.all(
        guests.map((guest, n) => guest.call(taskRoutes.deleteTasks, { body: { taskIds: taskIds.slice(n, n + 1) } })),
      );
      return [accepted, seconds.toFixed(0), (await peakOf(pid)).toFixed(0)];
    };
    const resumable = await measure(sendResumable);
    const whole = await measure(putWhole);
    await publish(
      'uploads',
      'Many uploads at once',
      [
        `${UPLOADS} files of ${FILE_MEGABYTES} MB at once through web, to the disk. Idle, \`api\` uses ${idle.toFixed(0)} MB.`,
        '',
        table([
          ['', 'accepted', 'seconds', 'peak memory of `api`, MB'],
          ['single PUT', ...whole],
          ['resumable', ...resumable],
        ]),
        '',
        `Bar: ${BAR_MEGABYTES} MB.`,
      ].join('\n'),
    );
  } finally {
    await product.stop();
  }
}
