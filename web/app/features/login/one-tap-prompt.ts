import { report } from '../../telemetry/telemetry';
import type { Modals } from '../modals/create-modals';
import { IdentityFailure, type IdentityView, type OneTapView } from './identity-client';
import { loadIdentityClient } from './load-identity-client';
import { logInWith } from './login-flow';
import { offerPlans } from './newcomer';
import { broadcastVisitorChange } from './visitor-updates';

/** The used part of Google's client. */
interface GoogleIdentity {
  initialize(options: {
    client_id: string;
    callback: (response: { credential: string }) => void;
    cancel_on_tap_outside: boolean;
    use_fedcm_for_prompt: boolean;
  }): void;
  prompt(): void;
  cancel(): void;
}

declare global {
  interface Window {
    google?: { readonly accounts: { readonly id: GoogleIdentity } };
  }
}

interface PromptOptions {
  readonly open: Modals['open'];
  readonly onProblem: () => void;
  readonly signal: AbortSignal;
}

export async function promptOneTap(identity: IdentityView, { open, onProblem, signal }: PromptOptions): Promise<void> {
  const { oneTap } = identity;
  const google = oneTap && (await loadGoogle(oneTap.scriptUrl).catch(report));
  if (!oneTap || !google || signal.aborted) return;
  signal.addEventListener('abort', () => google.cancel(), { once: true });

  const onCredential = async (credential: string): Promise<void> => {
    const client = await loadIdentityClient(identity);
    const outcome = await logInWith('one_tap', { client, open, returnTo: '/' }, async () => {
      const email = await verifiedEmail(credential, oneTap);
      return client.signInWithGoogle(credential, email);
    });
    if (outcome.kind === 'done') {
      broadcastVisitorChange();
      await offerPlans(outcome.done, open);
    } else if (outcome.kind === 'problem') onProblem();
  };
  google.initialize({
    client_id: oneTap.clientId,
    callback: ({ credential }) => void onCredential(credential),
    cancel_on_tap_outside: false,
    use_fedcm_for_prompt: true,
  });
  google.prompt();
}

function loadGoogle(url: string): Promise<GoogleIdentity | undefined> {
  if (window.google) return Promise.resolve(window.google.accounts.id);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.onload = () => resolve(window.google?.accounts.id);
    script.onerror = () => reject(new Error('Google’s sign-in script could not be loaded.'));
    document.head.append(script);
  });
}

async function verifiedEmail(credential: string, { clientId, tokenInfoUrl }: OneTapView): Promise<string> {
  const url = new URL(tokenInfoUrl);
  url.searchParams.set('id_token', credential);
  const response = await fetch(url).catch((cause: unknown) => {
    throw new IdentityFailure('auth/network-request-failed', { cause });
  });
  const claims = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const { aud, email, email_verified: isVerified } = claims;
  const isValid = response.ok && aud === clientId && String(isVerified) === 'true';
  if (!isValid || typeof email !== 'string') throw new IdentityFailure('auth/invalid-credential');
  return email;
}
