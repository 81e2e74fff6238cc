import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../ui/content/notice';
import type { LoginProblem } from '../login-flow';

export function LoginNotice({ problem }: { readonly problem: LoginProblem }) {
  const { t } = useTranslation(['onboarding', 'common']);
  return (
    <Notice>
      {problem.kind === 'refused' ? t(`common:errors.${problem.code}`) : t(`login.failures.${problem.message}`)}
    </Notice>
  );
}
