import type { RequestContext } from '../../server/http/request-context.ts';

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
}
