import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => api.sql('DELETE FROM flag_overrides'));

const DEVICE = { local_storage_id: 'device-1', device_type: 'desktop', language: 'en' };
const ask = (change: object = {}) => api.http.post('/api/v1/web/settings').send({ ...DEVICE, ...change });
const read = async (change: object = {}) => (await ask(change).expect(200)).body;
const setFlag = (name: string, value: unknown) =>
  api.sql('INSERT INTO flag_overrides VALUES ($1, $2, now())', [name, JSON.stringify(value)]);

describe('settings', () => {
  it('contain every flag with its default', async () => {
    const settings = await until(async () => {
      const body = await read();
      return body.remove_cap ? null : body;
    });
    expect(settings).toMatchObject({
      is_free_trial_enabled: true,
      ps_plugin: true,
      one_time_payment: true,
      compliant_price_enabled: true,
      should_show_privacy_section: true,
      should_enable_saving_ai_model_default: true,
      image_training_consent_enabled: true,
      is_intro_price_enabled: false,
      remove_cap: false,
      bipa_disclaimer_enabled: false,
      highlighted_otp_strategy: null,
      popup_survey_kind: null,
      jpeg_quality: 90,
      face_detector_max_input_res: 800,
      experiments: {},
      currency: 'usd',
      upscale_config: { factors: [1, 2, 4], max_side: 2048, max_pixels: 100_000_000 },
    });
  });

  it('contain what is sold, with price ids', async () => {
    const { payment_strategies: sold } = await read({ currency: 'eur' });
    expect(sold.personal).toMatchObject({
      id: 'personal',
      custom_price: false,
      periods: {
        weekly: {
          exports: 20,
          video_limits: { max_size_mb: 60, max_length: 60, max_period_size_mb: 240, max_period_length: 240 },
        },
        monthly: { exports: 80, intro_price_id: null },
        yearly: { exports: 1040 },
      },
    });
    expect(sold.business.periods.yearly).toMatchObject({
      exports: null,
      video_limits: { max_size_mb: 120, max_length: 120, max_period_size_mb: 480, max_period_length: 480 },
    });
    expect(sold.one_time).toMatchObject({ id: 'oneTime', exports: 20, periods: { single_export: { exports: 1 } } });
    const ids = [
      sold.personal.periods.weekly.price_id,
      sold.personal.periods.weekly.intro_price_id,
      ...sold.personal.periods.weekly.deprecated_prices,
      sold.one_time.periods.ten_exports.price_id,
    ];
    const { body } = await api.http.get('/api/v1/web/stripe/prices').query({ price_id: ids }).expect(200);
    expect(body.prices.map((price: { price_id: string }) => price.price_id)).toEqual(ids);
    expect(new Set(body.prices.map((price: { currency: string }) => price.currency))).toEqual(new Set(['eur']));
  });

  it('contain the plan that a tool requires and how strong it can be', async () => {
    const { ai_pipeline_config: tools } = await read();
    expect(tools.map(({ tool }: { tool: string }) => tool)).toEqual([
      'face_enhance',
      'face_lifting',
      'background_enhance',
      'bokeh',
      'fade',
      'color_enhance',
    ]);
    expect(tools[0].models).toEqual([
      { model: 'base', required_plan: 'base' },
      { model: 'v1', required_plan: 'personal' },
      { model: 'v2', required_plan: 'personal' },
    ]);
    expect(tools[5].models[0]).toMatchObject({ required_plan: 'business' });
    for (const { strength } of tools) expect(strength).toEqual({ min: 0, max: 1, default: 1 });
  });

  it('contain the tools that apply when nothing else names any', async () => {
    expect((await read()).remote_ai_pipeline_config).toEqual({
      face_enhance: { model: 'base' },
      background_enhance: { model: 'base' },
    });
  });

  it.each([
    ['ip', { is_intro_price_enabled: true, is_free_trial_enabled: false }],
    ['ft', { is_intro_price_enabled: false, is_free_trial_enabled: true }],
    ['other', { is_intro_price_enabled: false, is_free_trial_enabled: true }],
  ])('apply version=%s', async (version, expected) => expect(await read({ version })).toMatchObject(expected));

  it.each([
    ['the country', { 'x-sandbox-country': 'de' }, 'eur'],
    ['a country outside the euro area', { 'x-sandbox-country': 'CH', 'accept-language': 'de-DE' }, 'usd'],
    ['the region of the browser', { 'accept-language': 'fr-FR,fr;q=0.9' }, 'eur'],
    ['the region, where the country is unknown', { 'x-sandbox-country': 'XX', 'accept-language': 'it-IT' }, 'eur'],
    ['no region', { 'accept-language': 'de' }, 'usd'],
  ])('contain prices in the currency of %s', async (_what, headers, currency) => {
    expect((await ask().set(headers).expect(200)).body.currency).toBe(currency);
  });

  it.each(['de', 'fr', 'it', 'pt_BR', 'ja'])('do not derive the currency from the language: %s', async (language) => {
    expect((await read({ language })).currency).toBe('usd');
  });

  it('contain prices in the requested currency', async () => {
    const { body } = await ask({ currency: 'usd' }).set('x-sandbox-country', 'DE').expect(200);
    expect(body.currency).toBe('usd');
  });

  it('apply valid overrides of operators', async () => {
    await setFlag('removeCap', true);
    await setFlag('jpegQuality', 80);
    await setFlag('noSuchFlag', 1);
    const settings = await until(async () => {
      const body = await read();
      return body.remove_cap ? body : null;
    }, 'the flag');
    expect(settings.upscale_config).toEqual({ factors: [1, 2, 4], max_side: 4096, max_pixels: 100_000_000 });
    expect(settings).toMatchObject({ jpeg_quality: 90 });
    expect(settings).not.toHaveProperty('no_such_flag');
  });

  it.each([
    ['no device', { local_storage_id: undefined }],
    ['an empty language', { language: '' }],
    ['another currency', { currency: 'gbp' }],
    ['a list for a name', { device_type: ['desktop'] }],
  ])('reject %s', async (_what, change) => {
    const { body } = await ask(change).expect(422);
    expect(body.error_code).toBe('request.invalid');
  });

  it('reject bodies that are not JSON', () =>
    api.http.post('/api/v1/web/settings').set('content-type', 'application/json').send('{').expect(400));
});
