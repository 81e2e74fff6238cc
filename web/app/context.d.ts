import type { RequestContext } from '../server/request-context.ts';

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
}
