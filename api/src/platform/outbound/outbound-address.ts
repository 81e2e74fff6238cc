import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { AppError } from '../errors/app-error.js';

/** Asks name servers only: neither the host's file nor its search domains, which lead to the inside. */
@Injectable()
export class HostResolver {
  private readonly dns = new Resolver({ timeout: inMilliseconds.seconds(3), tries: 2 });

  /** @returns IPv4 and IPv6 addresses; none when the name has none */
  async resolve(host: string): Promise<readonly string[]> {
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([this.dns.resolve4(host), this.dns.resolve6(host)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}

/** An address with the only IP addresses to which its connection may go. */
export interface PinnedAddress {
  readonly url: URL;
  readonly ips: readonly string[];
}

const notAllowed = (description: string): AppError => new AppError('uploads.address_refused', { description });

/** Ports of the system, such as mail's, answer to what looks like a line of their protocol. */
const LOWEST_PORT = 1024;

/**
 * Parses and resolves an address given by a stranger.
 * @param allowsLoopback also http
 * @throws AppError `uploads.address_refused`, `uploads.address_unreachable` for a name without an address
 */
export async function pinAddress(
  address: string,
  resolver: HostResolver,
  { allowsLoopback }: { allowsLoopback: boolean },
): Promise<PinnedAddress> {
  const url = URL.parse(address);
  if (!url) throw notAllowed('The address is not an absolute URL.');
  if (url.protocol !== 'https:' && !(allowsLoopback && url.protocol === 'http:')) {
    throw notAllowed('The address must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') throw notAllowed('The address must not have credentials.');
  const ips = await ipsOf(url, resolver);
  const areLoopback = ips.every((ip) => ipaddr.parse(ip).range() === 'loopback');
  if (allowsLoopback && areLoopback) return { url, ips };
  if (url.protocol !== 'https:') throw notAllowed('The address must begin with https://.');
  if (url.port !== '' && Number(url.port) < LOWEST_PORT) {
    throw notAllowed(`The address must use port 443, or one from ${LOWEST_PORT}.`);
  }
  if (!ips.every(isPublic)) throw notAllowed('The host is not on the public internet.');
  return { url, ips };
}

async function ipsOf(url: URL, resolver: HostResolver): Promise<readonly string[]> {
  // The parser has normalized every notation of IPv4, and IPv6 stands in brackets.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host)) return [host];
  const ips = await resolver.resolve(host);
  if (ips.length === 0) throw new AppError('uploads.address_unreachable', { description: 'The host has no address.' });
  return ips;
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** The platform's own service in Azure, the one of its kind that has a public address. */
const AZURE_PLATFORM = '168.63.129.16';

/** Outside of every range that IANA reserves, including those that embed an IPv4 address. */
function isPublic(ip: string): boolean {
  const parsed = ipaddr.parse(ip);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_IPV6) : ip !== AZURE_PLATFORM;
}
