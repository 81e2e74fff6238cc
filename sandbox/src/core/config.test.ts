import { ConfigurationError } from '@clearframe/runtime/config';
import { describe, expect, it } from 'vitest';
import { sandboxConfig } from './config.js';

const LOCAL = {
  DATABASE_URL: 'postgres://localhost/clearframe',
  PUBLIC_URL: 'http://localhost:3000',
  STRIPE_SECRET_KEY: 'sbx_sk_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PAYPAL_CLIENT_ID: 'sbx_client_1',
  PAYPAL_CLIENT_SECRET: 'secret_1',
  PAYPAL_WEBHOOK_ID: 'webhook1',
  PAYPAL_MERCHANT_ID: 'MERCHANT1',
  RECAPTCHA_SECRET_KEY: 'sbx_captcha_1',
  ZENDESK_EMAIL: 'support@example.com',
  ZENDESK_API_TOKEN: 'sbx_zendesk_1',
};

describe('the configuration', () => {
  it('is complete with the database, keys and the address of the product', () => {
    expect(sandboxConfig(LOCAL)).toMatchObject({
      publicUrl: 'http://localhost:3000',
      stripe: { secretKey: 'sbx_sk_1', webhookSecret: 'whsec_1', webhookUrl: null },
    });
  });

  it('is refused in production', () => {
    const start = () => sandboxConfig({ ...LOCAL, CLEARFRAME_ENV: 'production' });
    expect(start).toThrow(ConfigurationError);
    expect(start).toThrow('CLEARFRAME_ENV: the sandbox moves no money and does not run in production');
  });

  it.each(Object.keys(LOCAL))('names a missing %s', (name) => {
    expect(() => sandboxConfig({ ...LOCAL, [name]: undefined })).toThrow(new RegExp(`^${name}: `));
  });
});
