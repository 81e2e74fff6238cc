import type { LoginProvider } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../../../ui/content/spinner';
import { Button } from '../../../ui/controls/button';
import { isLoginProvider, LOGIN_PROVIDER_LIST, PROVIDER_NAMES } from '../client/providers';
import { onTheWay } from './login-address';
import { ProviderMark } from './provider-icons';

interface ProviderButtonsProps {
  readonly providers?: readonly LoginProvider[];
  /** The one that somebody is signing in with right now. */
  readonly busy?: LoginProvider | null;
  /** Where to go afterwards without script. */
  readonly returnTo: string;
  readonly onChoose: (provider: LoginProvider) => void;
}

/** A button for each provider: a form that leads to it, and with script whatever `onChoose` does. */
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
      action={onTheWay('/login', { returnTo, search })}
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
          {...(position === 0 ? { 'data-first': '' } : {})}
        >
          {busy === provider ? <Spinner label={null} size={20} /> : <ProviderMark provider={provider} />}
          {busy === provider ? t('login.busy') : t('login.continueWith', { provider: PROVIDER_NAMES[provider] })}
        </Button>
      ))}
    </form>
  );
}
