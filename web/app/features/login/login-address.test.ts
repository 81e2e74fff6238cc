import { expect, test } from 'vitest';
import { destinationIn, guestDestination, linkingAddress, withReturnTo } from './login-address';

test.each([
  ['', '/'],
  ['?returnTo=%2Fresult%3FtaskId%3D1', '/result?taskId=1'],
  ['?from=%2Fabout%2Ffiles', '/about/files'],
  ['?returnTo=https%3A%2F%2Felsewhere.example%2F', '/'],
  ['?returnTo=%2F%2Felsewhere.example', '/'],
  ['?returnTo=%2F%5Celsewhere.example', '/'],
  ['?returnTo=javascript%3Aalert(1)', '/'],
  ['?returnTo=%2Flogin%3FreturnTo%3D%252F', '/'],
  ['?returnTo=%2Flogout', '/'],
  ['?returnTo=%2Fsandbox%2Fidentity', '/'],
  ['?returnTo=%2Fapi%2Fv1%2Fweb%2Fusers', '/'],
  ['?returnTo=%2Floginless', '/loginless'],
])('%s leads to %s', (search, expected) => {
  expect(destinationIn(search)).toBe(expected);
});

test('login steps keep the return address and the version parameter', () => {
  expect(withReturnTo('/login', { returnTo: '/', search: '' })).toBe('/login');
  expect(withReturnTo('/sandbox/identity?provider=google', { returnTo: '/a?b=c', search: '?v=x' })).toBe(
    '/sandbox/identity?provider=google&returnTo=%2Fa%3Fb%3Dc&v=x',
  );
  expect(linkingAddress('facebook', 'google')).toBe('/login/linking?attempted=facebook&original=google');
});

test.each([
  [null, '/'],
  ['/account/general', '/'],
  ['/result?taskId=1&mediaType=image', '/result?taskId=1&mediaType=image'],
  ['/?mediaType=image&taskId=1', '/'],
  ['/?v=b&taskId=1', '/?v=b'],
  ['https://elsewhere.example/result', '/'],
])('logging out on %s leads to %s', (from, expected) => {
  expect(guestDestination(from)).toBe(expected);
});
