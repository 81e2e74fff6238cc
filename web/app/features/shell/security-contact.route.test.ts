import { expect, test } from 'vitest';
import { unusedAddress } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { loader } from './security-contact.route';

test('security.txt names where to report and has not expired (RFC 9116)', async () => {
  const context = contextFor(await unusedAddress(), 'https://photos.example');
  const request = new Request('https://photos.example/.well-known/security.txt');
  const response = loader({ request, context, params: {} });
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toContain('Contact: https://photos.example/help/contact\n');
  expect(text).toContain('Canonical: https://photos.example/.well-known/security.txt\n');
  expect(Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')).toBeGreaterThan(Date.now());
});
