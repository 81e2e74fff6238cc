import type { LoginProvider } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { withReturnTo } from './login-address';
import { isLoginProvider, LOGIN_PROVIDER_LIST, PROVIDER_NAMES } from './providers';

interface ProviderButtonsProps {
  readonly providers?: readonly LoginProvider[];
  readonly busy?: LoginProvider | null;
  readonly returnTo: string;
  readonly onChoose: (provider: LoginProvider) => void;
}

/** Without JavaScript, a form that leads to the provider; with JavaScript, calls `onChoose`. */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { providers = LOGIN_PROVIDER_LIST, busy = null, returnTo, onChoose } = props;
  const { t } = useTranslation('onboarding');
  const { search } = useLocation();

  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const provider = submitter instanceof HTMLButtonElement ? submitter.value : null;
    if (isLoginProvider(provider) && busy === null) onChoose(provider);
  }

  return (
    <form
      method="post"
      action={withReturnTo('/login', { returnTo, search })}
      onSubmit={choose}
      className="flex flex-col gap-3"
    >
      {providers.map((provider, position) => (
        <Button
          key={provider}
          kind="quiet"
          type="submit"
          name="provider"
          value={provider}
          aria-busy={busy === provider || undefined}
          disabled={busy !== null && busy !== provider}
          className="w-full"
          {...(position === 0 ? { 'data-autofocus': '' } : {})}
        >
          {busy === provider ? <Spinner label={null} size={20} /> : <ProviderMark provider={provider} />}
          {busy === provider ? t('login.busy') : t('login.continueWith', { provider: PROVIDER_NAMES[provider] })}
        </Button>
      ))}
    </form>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 shrink-0" fill="none" strokeWidth="4">
      <path stroke="#ea4335" d="M5.07 8A8 8 0 0 1 17.3 6" />
      <path stroke="#fbbc05" d="M5.07 16a8 8 0 0 1 0-8" />
      <path stroke="#34a853" d="M17.1 18.15A8 8 0 0 1 5.07 16" />
      <path stroke="#4285f4" d="M12 12h8a8 8 0 0 1-2.9 6.15" />
    </svg>
  );
}

function FacebookMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 shrink-0">
      <circle cx="12" cy="12" r="11" fill="#0866ff" />
      <path fill="none" stroke="#fff" strokeWidth="2.9" d="M11.95 23V10.4c0-2.1 1.05-3.3 3-3.3h1.6M8.4 13h7.6" />
    </svg>
  );
}

function AppleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 shrink-0" fill="currentColor">
      <path d="M12.2 7.3c-.3-2.4 1.3-4.4 3.6-4.9.3 2.4-1.4 4.5-3.6 4.900z" />
      <path d="M18.900 15.9c-.9 2.3-2.400 5-4.300 5-1 0-1.400-.6-2.500-.6s-1.600.6-2.500.6C7.300 20.900 4.700 16.500 4.700 13c0-3 1.900-4.900 4.100-4.900 1.300 0 2.300.8 3.300.8s2-.9 3.600-.9c1.300 0 2.500.6 3.200 1.700-2.900 1.700-2.400 5.300 0 6.200z" />
    </svg>
  );
}

const MARKS: Readonly<Record<LoginProvider, () => JSX.Element>> = {
  google: GoogleMark,
  facebook: FacebookMark,
  apple: AppleMark,
};

function ProviderMark({ provider }: { readonly provider: LoginProvider }) {
  const Mark = MARKS[provider];
  return <Mark />;
}
