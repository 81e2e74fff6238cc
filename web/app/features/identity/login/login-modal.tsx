import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import { destinationIn } from './login-address';
import { LoginForm } from './login-form';
import { useAfterLogin } from './use-after-login';

const PURPOSES = { '/checkout': 'checkoutLead', '/redeem': 'redeemLead' } as const;

/** Message key of what the login is for: the page that it continues. */
export function loginLeadOf(search: string): 'lead' | (typeof PURPOSES)[keyof typeof PURPOSES] {
  const [path] = destinationIn(search).split(/[?#]/);
  return path === '/checkout' || path === '/redeem' ? PURPOSES[path] : 'lead';
}

/** Login (spec 1, section 2), over a page or as one. */
export function LoginModal({ modal, problem }: ModalBodyProps<'user:login'>) {
  const { t } = useTranslation('onboarding');
  const { search } = useLocation();
  const continueAfterLogin = useAfterLogin();
  return (
    <>
      <ModalTitle>{t('login.title')}</ModalTitle>
      <ModalLead>{t(`login.${loginLeadOf(search)}`)}</ModalLead>
      <LoginForm problem={problem} onDone={(done) => void continueAfterLogin(done, () => modal.close('loggedIn'))} />
    </>
  );
}
