import type { Deprecation } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation | undefined;
  }
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the entry of the changelog. */
export const deprecationHeaders = ({ since, sunset }: Deprecation, publicUrl: string): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
  link: `<${publicUrl}/developers/changelog#${since}>; rel="deprecation"; type="text/html"`,
});

/** Sets the headers of deprecated routes, also of their errors. */
export function announceDeprecations(fastify: FastifyInstance, publicUrl: string): void {
  fastify.addHook('onRequest', async ({ routeOptions }, reply) => {
    const { deprecated } = routeOptions.config;
    if (deprecated) reply.headers(deprecationHeaders(deprecated, publicUrl));
  });
}
