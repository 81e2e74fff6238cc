import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import { LoginForm } from './login-form';
import { useAfterLogin } from './use-after-login';

/** Login (spec 1, section 2), over a page or as one. */
export function LoginModal({ modal, problem }: ModalBodyProps<'user:login'>) {
  const { t } = useTranslation('onboarding');
  const continueAfterLogin = useAfterLogin();
  return (
    <>
      <ModalTitle>{t('login.title')}</ModalTitle>
      <ModalLead>{t('login.lead')}</ModalLead>
      <LoginForm problem={problem} onDone={(done) => void continueAfterLogin(done, () => modal.close('loggedIn'))} />
    </>
  );
}
