import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pluginKeyRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import { ApiClient } from '../tests/support/api-client.ts';
import { subscribe } from '../tests/support/payments/purchases.ts';
import { blurredFace } from '../tests/support/portrait.ts';
import { startProduct } from '../tests/support/product/product.ts';
import { publish, table } from './support/results.ts';

const MEASURE = fileURLToPath(new URL('../plugin/test/measure.ts', import.meta.url));

/** The largest that are enhanced as one with 16 and 8 bits, and in tiles; and the one of the bar. */
const DOCUMENTS = [
  { megapixels: 13, depth: 16 },
  { megapixels: 24, depth: 8 },
  { megapixels: 25.9, depth: 8 },
  { megapixels: 59.5, depth: 8 },
] as const;

interface Measured {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly pngBytes: number;
  readonly encodeSeconds: number;
  readonly decodeSeconds: number;
  readonly peak: number;
}

/** A soft face under the noise of a sensor, which is what makes PNGs large. */
async function noisyFace(megapixels: number): Promise<Buffer> {
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 3) / 2));
  const size = { width, height: Math.floor((megapixels * 1e6) / width) };
  const noise = { type: 'gaussian', mean: 128, sigma: 5 } as const;
  const grain = sharp({ create: { ...size, channels: 3, background: '#000', noise } });
  const input = await grain.png({ compressionLevel: 0 }).toBuffer();
  const face = sharp(await blurredFace(1024)).resize({ ...size, fit: 'cover', kernel: 'cubic' });
  return face
    .composite([{ input, blend: 'overlay' }])
    .removeAlpha()
    .png({ compressionLevel: 0 })
    .toBuffer();
}

export async function benchPlugin(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-plugin-'));
  const product = await startProduct();
  const rows: (string | number)[][] = [
    [
      'document',
      'bits',
      'MB as PNG',
      'encoding, processor s',
      'decoding, processor s',
      'JavaScript memory at most, MB',
    ],
  ];
  try {
    const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'business');
    const { key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
    for (const { megapixels, depth } of DOCUMENTS) {
      const picture = join(folder, `${megapixels}.png`);
      await writeFile(picture, await noisyFace(megapixels));
      const args = ['--expose-gc', MEASURE, picture, String(depth), product.url, key];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const measured = JSON.parse(stdout) as Measured;
      rows.push([
        `${measured.width} × ${measured.height}`,
        measured.depth,
        Math.round(measured.pngBytes / 1e6),
        measured.encodeSeconds.toFixed(1),
        measured.decodeSeconds.toFixed(1),
        Math.round(measured.peak / 1e6),
      ]);
    }
  } finally {
    await product.stop();
    await rm(folder, { recursive: true });
  }
  await publish(
    'plugin',
    'The Photoshop plug-in and large documents',
    [
      'A layer that fills the document, a soft face under noise, restored by a product on the same machine. Memory is that of a process of',
      'Node with Photoshop in memory, without the pixels of the document, sampled every 5 ms.',
      '',
      table(rows),
      '',
      'Bar: under 600 MB; encoding and decoding 24 megapixels of 8 bits under 6 s together.',
    ].join('\n'),
  );
}
