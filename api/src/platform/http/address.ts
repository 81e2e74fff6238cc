import { timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const INTERNAL_HEADER = 'x-clearframe-internal';

const sameSecret = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** `X-Forwarded-For` is trusted only with the internal secret. */
export function addressOf(request: FastifyRequest, internalSecret: string): string {
  const proof = request.headers[INTERNAL_HEADER];
  const forwarded = request.headers['x-forwarded-for'];
  if (typeof proof === 'string' && typeof forwarded === 'string' && sameSecret(proof, internalSecret)) {
    const [visitor] = forwarded.split(',');
    if (visitor?.trim()) return visitor.trim();
  }
  return request.socket.remoteAddress ?? 'unknown';
}

/** An IPv4 address as such, whatever the socket calls it. */
export const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');

/** The network that limits apply to: an IPv6 client controls a whole /64. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : new Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  const network = [...left, ...zeros, ...right].slice(0, 4);
  return network.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
