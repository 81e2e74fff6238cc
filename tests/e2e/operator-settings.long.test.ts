import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { FEW_PICTURES, type Product, startProduct } from '../support/product/product.ts';
import { startTraceCollector } from '../support/product/trace-collector.ts';
import { until } from '../support/product/until.ts';
import { STAFF_PASSWORD, testSecretMenu } from './account/secret-menu.ts';
import { testFlags } from './payments/offers/flags.ts';
import { testPaymentForms } from './payments/payment-forms.ts';

const browser = useBrowser();
/** Flags and experiments are the same for all visitors of a product. Starting one takes 7 s of a processor. */
let product: Product;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;
beforeAll(async () => {
  collector = await startTraceCollector();
  product = await startProduct({
    ...FEW_PICTURES,
    CLEARFRAME_STAFF_PASSWORD: STAFF_PASSWORD,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
});
afterAll(async () => {
  await product?.stop();
  collector?.stop();
});

it('a picture is one trace, from the request that ordered it to its settlement', async () => {
  const guest = await ApiClient.createGuest(product.url);
  await guest.enhance(await smallPicture());
  const settlement = await until('its settlement arrives', async () =>
    collector.spans.find(({ name }) => name === 'settle image.enhance'),
  );
  const path = ['POST', 'POST /api/v1/web/tasks/bulk-upload/:bulkUploadId/process', 'image.enhance', 'decode'];
  const trace = await until('all spans arrive', async () => {
    const spans = collector.spans.filter(({ traceId }) => traceId === settlement.traceId);
    return path.every((name) => spans.some((span) => span.name === name)) && spans;
  });
  const [web, api, worker] = path.map((name) => trace.find((span) => span.name === name));
  expect([web, api, worker].map((span) => span?.service)).toEqual(
    ['web', 'api', 'worker'].map((name) => `clearframe-${name}`),
  );
  expect(web?.parentSpanId).toBeUndefined();
  expect([api?.parentSpanId, worker?.parentSpanId, settlement.parentSpanId]).toEqual([
    web?.spanId,
    api?.spanId,
    api?.spanId,
  ]);
  const logged = await readFile(join(product.dataFolder, 'logs', 'worker.log'), 'utf8');
  expect(logged).toContain(`"traceId":"${settlement.traceId}"`);
  // The original's display file is decoded in the same trace.
  const decodings = trace.filter(({ name }) => name === 'decode').map(({ parentSpanId }) => parentSpanId);
  expect(decodings).toContain(worker?.spanId);
});

it('the id of a request is that of its trace', async () => {
  const { headers } = await fetch(product.url);
  const traceId = headers.get('x-request-id')?.replaceAll('-', '');
  await until('its span arrives', async () => collector.spans.some((span) => span.traceId === traceId));
});

// Flags last, since they change the pages of the others.
describe('payment forms', () => testPaymentForms(() => product, browser));
describe('experiments', () => testSecretMenu(() => product, browser));
describe('flags', () => testFlags(() => product, browser));
