import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './security-headers.ts';

const directives = (policy: string): Map<string, string> =>
  new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

test('scripts and styles come from us, or carry the nonce', () => {
  const policy = directives(contentSecurityPolicy('abc', new URL('http://localhost:3000')));
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/);
});

test('only over https are addresses upgraded', () => {
  const of = (address: string) => directives(contentSecurityPolicy('abc', new URL(address)));
  expect(of('https://clearframe.test').has('upgrade-insecure-requests')).toBe(true);
  expect(of('http://localhost:3000').has('upgrade-insecure-requests')).toBe(false);
});
