import { useTranslation } from 'react-i18next';
import { useRootData } from '../../session/root-data';
import { Notice } from '../../ui/content/notice';
import { LinkedText } from '../../ui/page/linked-text';
import type { FailureMessage } from './failures';
import type { LoginDone, LoginProblem } from './login-flow';
import { ProviderButtons } from './provider-buttons';
import { useLogin } from './use-login';

interface LoginFormProps {
  readonly problem?: FailureMessage | null;
  readonly onDone: (done: LoginDone) => void;
}

const LINKS = { terms: '/terms', privacy: '/privacy-and-cookie-policy' };

export function LoginForm({ problem = null, onDone }: LoginFormProps) {
  const { t } = useTranslation(['onboarding', 'common']);
  const { identity } = useRootData();
  const { busy, returnTo, problem: own, start } = useLogin(onDone);
  const shown = own ?? (problem && { kind: 'failed' as const, message: problem });
  if (identity.provider === 'none') return <Notice>{t('common:errors.service.not_configured')}</Notice>;
  return (
    <div className="flex flex-col gap-5">
      {shown && <LoginNotice problem={shown} />}
      <ProviderButtons busy={busy} returnTo={returnTo} onChoose={start} />
      <p className="text-sm text-pretty text-muted">
        <LinkedText text={t('login.agreement')} links={LINKS} target="_blank" />
      </p>
    </div>
  );
}

export function LoginNotice({ problem }: { readonly problem: LoginProblem }) {
  const { t } = useTranslation(['onboarding', 'common']);
  return (
    <Notice>
      {problem.kind === 'refused' ? t(`common:errors.${problem.code}`) : t(`login.failures.${problem.message}`)}
    </Notice>
  );
}
