import { type ExportState, Settings, toWire, type User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { SETTINGS } from '../../../test/settings';
import { ADA } from '../../../test/users';
import { TASK_ID } from '../../../test/wire';
import { downloadOf } from './download.server';
import { estimatedBytes } from './download-view';

type Finished = Parameters<typeof downloadOf>[0];

const OUTPUT: Finished['output'] = {
  id: TASK_ID,
  display: null,
  url: '/media/1',
  downloadUrl: '/media/1',
  contentType: 'image/jpeg',
  width: 100,
  height: 100,
  fullSize: { width: 4000, height: 3000, sizeBytes: 20_000_000 },
  hasWatermark: true,
  isEncoding: false,
  isPreview: false,
  isUntouched: false,
  untouchedReason: 'sharp',
  faces: [],
  notes: [],
};
const TASK: Finished = {
  taskId: TASK_ID,
  state: { kind: 'done' },
  remainingSeconds: null,
  exportState: 'none',
  isTest: false,
  mediaType: 'image',
  duration: null,
  fileName: 'face.jpg',
  display: {
    inputUrl: null,
    inputMediumUrl: null,
    outputUrl: null,
    thumbnailUrl: null,
    inputThumbnailUrl: null,
    width: null,
    height: null,
  },
  output: OUTPUT,
  newestOutputId: TASK_ID,
  batchId: null,
  uploadProblem: null,
  lastProblem: null,
  expiresAt: '2026-01-02T00:00:00.000Z',
};

async function downloadFor(user: User | null, changes: Partial<Finished> = {}) {
  const backend = await startBackend((_request, response) => sendProblem(response, 'service.unavailable'));
  const request = new Request('http://clearframe.test/');
  return downloadOf({ ...TASK, ...changes }, user, request, contextFor(backend.url));
}

const CREDITS: User = { ...ADA, role: 'credits', availableCredits: 2 };

test.each([
  ['a guest has the free file', null, {}, ['file', 'locked', 'locked', 'locked', 'locked', 'locked']],
  [
    'a paid picture has both qualities',
    null,
    { exportState: 'ready' as const },
    ['export', 'export', 'locked', 'locked', 'locked', 'locked'],
  ],
  ['credits buy both qualities', CREDITS, {}, ['export', 'export', 'locked', 'locked', 'locked', 'locked']],
  ['Business has all formats', { ...ADA, role: 'business' } as const, {}, Array(6).fill('export')],
])('%s', async (_, user, changes, kinds) => {
  const { formats } = await downloadFor(user, changes);
  expect(formats.map(({ format }) => format)).toEqual(['jpeg90', 'jpeg100', 'png', 'tiff', 'psd', 'photoshopTiff']);
  expect(formats.map(({ kind }) => kind)).toEqual(kinds);
});

test('each format has its pixels and an estimate of its bytes', async () => {
  const business = await downloadFor({ ...ADA, role: 'business' });
  const whole = { width: 4000, height: 3000 };
  expect(business.formats.map(({ kind: _, ...offer }) => offer)).toEqual([
    { format: 'jpeg90', ...whole, bytes: 3_200_000 },
    { format: 'jpeg100', ...whole, bytes: expect.closeTo(11_400_000) },
    { format: 'png', ...whole, bytes: 20_000_000 },
    { format: 'tiff', ...whole, bytes: 24_000_000 },
    { format: 'psd', ...whole, bytes: 108_000_000 },
    { format: 'photoshopTiff', ...whole, bytes: 108_000_000 },
  ]);
  // The free file of this plan is small; what is sold is not.
  const [free, paid] = (await downloadFor(null)).formats;
  expect(free).toMatchObject({ kind: 'file', width: 100, height: 100 });
  expect(paid).toMatchObject({ kind: 'locked', ...whole });
});

test('the estimate of a JPEG is that of 8 bits a sample', () => {
  const deep = { width: 1000, height: 1000, sizeBytes: 5_000_000 };
  expect(estimatedBytes('jpeg90', deep)).toBeCloseTo(416_000);
  expect(estimatedBytes('png', deep)).toBe(5_000_000);
});

test.each<[string, Partial<Finished>]>([
  ['an unchanged picture', { output: { ...OUTPUT, isUntouched: true } }],
  ['a picture of a test key', { isTest: true }],
])('%s uses no download and offers no plan', async (_picture, change) => {
  expect(await downloadFor(CREDITS)).toMatchObject({ primary: 'export', left: 2, hasPlansAbove: true });
  expect(await downloadFor(CREDITS, change)).toMatchObject({
    primary: 'file',
    left: null,
    offer: null,
    hasPlansAbove: false,
    formats: [
      { kind: 'export' },
      { kind: 'export' },
      { kind: 'locked' },
      { kind: 'locked' },
      { kind: 'locked' },
      { kind: 'locked' },
    ],
  });
});

test('a subscriber without downloads left gets a message', async () => {
  const limits = { exports: 20, exportsUsed: 19 };
  const user: User = { ...ADA, role: 'personal', limits };
  expect(await downloadFor(user)).toMatchObject({ left: 1, isLimitReached: false });
  const used = { ...user, limits: { ...limits, exportsUsed: 20 } };
  expect(await downloadFor(used)).toMatchObject({ left: null, isLimitReached: true });
  expect(await downloadFor(used, { exportState: 'ready' })).toMatchObject({ isLimitReached: false });
});

test('a picture that is processed again keeps its price, and a paid one asks for nothing', async () => {
  const price = {
    id: 'single_export_usd',
    price_id: 'p',
    amount_cents: 499,
    currency: 'usd',
    recurring_interval: null,
    recurring_interval_count: null,
    exports: 1,
    paypal_plan_id: null,
    paypal_plan_no_ft_id: null,
  };
  const backend = await startBackend((request, response) =>
    sendJson(response, 200, request.url?.includes('prices') ? { prices: [price] } : toWire(Settings, SETTINGS)),
  );
  const offerOf = async (exportState: ExportState) => {
    const task: Finished = { ...TASK, exportState, state: { kind: 'working', progress: 0.5 } };
    return (await downloadOf(task, null, new Request('http://clearframe.test/'), contextFor(backend.url))).offer;
  };
  expect(await offerOf('none')).toMatchObject({ price: '$4.99' });
  expect(await offerOf('preparing')).toBeNull();
  expect(await offerOf('ready')).toBeNull();
});

test('a paid picture whose file is to come has no price, no plans and no other download', async () => {
  const preparing = { exportState: 'preparing' } as const;
  for (const user of [null, CREDITS, { ...ADA, role: 'personal' } as const]) {
    expect(await downloadFor(user, preparing)).toEqual({
      primary: 'preparing',
      left: null,
      offer: null,
      isLimitReached: false,
      hasPlansAbove: false,
      formats: [],
    });
  }
  expect(await downloadFor({ ...ADA, role: 'business' }, preparing)).toMatchObject({ primary: 'file' });
});
