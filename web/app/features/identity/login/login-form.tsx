import { useTranslation } from 'react-i18next';
import { Trans } from 'react-i18next/TransWithoutContext';
import { useRootData } from '../../../session/root-data';
import { Notice } from '../../../ui/content/notice';
import { AppLink } from '../../../ui/page/app-link';
import type { FailureMessage } from '../client/failures';
import type { LoginDone } from './login-flow';
import { LoginNotice } from './login-notice';
import { ProviderButtons } from './provider-buttons';
import { useLogin } from './use-login';

interface LoginFormProps {
  /** What a login without script came to. */
  readonly problem?: FailureMessage | null;
  readonly onDone: (done: LoginDone) => void;
}

const LINK = 'text-ink underline decoration-line underline-offset-4 transition hover:decoration-current';

/** The ways to sign in, which are the ways to sign up, and what one agrees to. */
export function LoginForm({ problem = null, onDone }: LoginFormProps) {
  const { t, i18n } = useTranslation(['onboarding', 'common']);
  const { identity } = useRootData();
  const { busy, returnTo, problem: own, start } = useLogin(onDone);
  const shown = own ?? (problem && { kind: 'failed' as const, message: problem });
  if (identity.provider === 'none') return <Notice>{t('common:errors.service.not_configured')}</Notice>;
  return (
    <div className="flex flex-col gap-5">
      {shown && <LoginNotice problem={shown} />}
      <ProviderButtons busy={busy} returnTo={returnTo} onChoose={start} />
      <p className="text-sm text-pretty text-muted">
        <Trans
          t={t}
          i18n={i18n}
          i18nKey="login.agreement"
          components={{
            terms: <AppLink to="/terms" target="_blank" className={LINK} />,
            privacy: <AppLink to="/privacy-and-cookie-policy" target="_blank" className={LINK} />,
          }}
        />
      </p>
    </div>
  );
}
