import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface GoogleToken {
  readonly aud: string;
  readonly email: string;
  readonly email_verified: string;
}

export const googleToken = (claims: GoogleToken): string => Buffer.from(JSON.stringify(claims)).toString('base64url');

/** A button instead of Google's iframe; the test sets its credential. */
const SCRIPT = `(() => {
  let options;
  window.google = { accounts: { id: {
    initialize: (given) => { options = given; },
    prompt: () => {
      const button = document.createElement('button');
      button.id = 'one-tap';
      button.textContent = 'Continue as you';
      button.onclick = () => { button.remove(); options.callback({ credential: window.googleCredential }); };
      document.body.append(button);
    },
    cancel: () => document.getElementById('one-tap')?.remove(),
  } } };
})();`;

/** Serves Google's sign-in script and token info. */
export async function startGoogleMock() {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://google.test');
    requestedPaths.push(url.pathname);
    response.setHeader('access-control-allow-origin', '*');
    if (url.pathname === '/gsi/client') {
      response.setHeader('content-type', 'text/javascript').end(SCRIPT);
      return;
    }
    try {
      const claims = JSON.parse(Buffer.from(url.searchParams.get('id_token') ?? '', 'base64url').toString());
      response.setHeader('content-type', 'application/json').end(JSON.stringify(claims));
    } catch {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_token"}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    clientId: 'clearframe-tests.apps.googleusercontent.com',
    requestedPaths,
    environment: {
      GOOGLE_CLIENT_ID: 'clearframe-tests.apps.googleusercontent.com',
      GOOGLE_IDENTITY_SCRIPT_URL: `${origin}/gsi/client`,
      GOOGLE_TOKEN_INFO_URL: `${origin}/tokeninfo`,
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Google = Awaited<ReturnType<typeof startGoogleMock>>;
