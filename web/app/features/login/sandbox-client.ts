import type { LoginProvider } from '@clearframe/contract';
import { preserveVersionParam } from '../../http/internal-address';
import { type IdentityClient, IdentityFailure, type SignedIn } from './identity-client';
import { isSandboxReply, type SandboxReply } from './sandbox-reply';

const WINDOW = 'popup,width=480,height=720';
const TOKENS = '/api/sandbox/identity/tokens';
/** Browsers fire no event when a popup is closed. */
const POLL_MS = 200;

const REFUSALS: Readonly<Record<string, string>> = {
  'sandbox.credential_in_use': 'auth/credential-already-in-use',
  'sandbox.email_in_use': 'auth/email-already-in-use',
};

export function createSandboxClient(): IdentityClient {
  return {
    async signIn(provider) {
      const popup = window.open(`/sandbox/identity?${new URLSearchParams({ provider, display: 'popup' })}`, '', WINDOW);
      if (!popup) throw new IdentityFailure('auth/popup-blocked');
      return signedInOf(await replyFrom(popup), provider);
    },

    async redirect(provider, returnTo) {
      const address = `/sandbox/identity?${new URLSearchParams({ provider, returnTo })}`;
      window.location.assign(preserveVersionParam(address, window.location.search));
      // The page is being left.
      await new Promise(() => {});
    },

    // The sandbox's page logs in by itself after a redirect.
    redirectResult: async () => null,

    async link(signedIn, { provider, email, credential }) {
      if (credential) throw new IdentityFailure(credential);
      return { ...signedIn, idToken: await issueToken({ provider, email, link_to: signedIn.idToken }) };
    },

    signInWithGoogle: async (_credential, email) => ({
      idToken: await issueToken({ provider: 'google', email }),
      email,
    }),

    signInAnonymously: async () => {},
  };
}

function replyFrom(popup: Window): Promise<SandboxReply> {
  return new Promise((resolve) => {
    const end = (reply: SandboxReply): void => {
      clearInterval(timer);
      window.removeEventListener('message', listen);
      popup.close();
      resolve(reply);
    };
    const listen = ({ origin, source, data }: MessageEvent): void => {
      if (origin === window.location.origin && source === popup && isSandboxReply(data)) end(data);
    };
    const timer = setInterval(() => {
      if (popup.closed)
        end({ kind: 'failure', code: 'auth/popup-closed-by-user', email: null, providers: [], link: '' });
    }, POLL_MS);
    window.addEventListener('message', listen);
  });
}

function signedInOf(reply: SandboxReply, provider: LoginProvider): SignedIn {
  if (reply.kind === 'token') return { idToken: reply.idToken, email: reply.email };
  const { code, email, providers, link } = reply;
  const isLinking = code === 'auth/account-exists-with-different-credential';
  throw new IdentityFailure(code, {
    linking: isLinking ? { pending: { provider, email, credential: link }, providers } : null,
  });
}

async function issueToken(body: Readonly<Record<string, unknown>>): Promise<string> {
  const response = await fetch(TOKENS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new IdentityFailure('auth/network-request-failed', { cause });
  });
  const { id_token: idToken, error_code: code } = (await response.json()) as Record<string, unknown>;
  if (typeof idToken === 'string') return idToken;
  throw new IdentityFailure(REFUSALS[String(code)] ?? 'auth/internal-error');
}
