// Reads secrets from files before a program starts: `node --import ./ops/secret-files.mjs PROGRAM`. For a NAME below, NAME_FILE
// names a file with its value, as a secret of Docker, Kubernetes or systemd is. The images do so by NODE_OPTIONS.
import { readFileSync } from 'node:fs';

export const SECRETS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'CLEARFRAME_BACKUP_PASSPHRASE',
  'CLEARFRAME_COOKIE_SECRET',
  'CLEARFRAME_FINGERPRINT_SECRET',
  'CLEARFRAME_INTERNAL_SECRET',
  'CLEARFRAME_JWT_SECRET',
  'CLEARFRAME_SIGNING_SECRET',
  'CLEARFRAME_STAFF_PASSWORD',
  'CLEARFRAME_STAFF_PASSWORD_HASH',
  'DATABASE_URL',
  'FIREBASE_SERVICE_ACCOUNT',
  'PAYPAL_CLIENT_SECRET',
  'RECAPTCHA_SECRET_KEY',
  'REDIS_URL',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'ZENDESK_API_TOKEN',
];

/**
 * Editors and `echo` end files with a newline.
 * @param {string} text
 */
const withoutNewline = (text) => text.replace(/\r?\n$/, '');

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

for (const name of SECRETS) {
  const variable = `${name}_FILE`;
  const file = process.env[variable];
  // Children inherit the value, and have no file to read.
  delete process.env[variable];
  // Kubernetes makes variables of files as they are.
  if (process.env[name]) process.env[name] = withoutNewline(process.env[name]);
  if (!file) continue;
  if (process.env[name]) fail(`${name}: is set, and so is ${variable}`);
  try {
    process.env[name] = withoutNewline(readFileSync(file, 'utf8'));
  } catch (error) {
    fail(`${variable}: can't be read: ${error instanceof Error ? error.message : error}`);
  }
  if (!process.env[name]) fail(`${variable}: ${file} is empty`);
}
