import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { useModals } from '../modals/modals';
import { destinationIn } from './login-address';
import type { LoginDone } from './login-flow';
import { LoginForm } from './login-form';
import { offerPlans } from './newcomer';
import { useAfterLogin } from './use-after-login';

const PURPOSES = { '/checkout': 'checkoutLead', '/redeem': 'redeemLead' } as const;

export function loginLeadOf(search: string): 'lead' | (typeof PURPOSES)[keyof typeof PURPOSES] {
  const [path] = destinationIn(search).split(/[?#]/);
  return path === '/checkout' || path === '/redeem' ? PURPOSES[path] : 'lead';
}

export function LoginModal({ modal, problem, isStep = false }: ModalBodyProps<'user:login'>) {
  const { t } = useTranslation('onboarding');
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const { open } = useModals();
  const continueAfterLogin = useAfterLogin();
  async function afterLogin(done: LoginDone): Promise<void> {
    await continueAfterLogin(done, () => modal.close('loggedIn'));
    if (mode === 'dialog' && !isStep) await offerPlans(done, open);
  }

  return (
    <>
      <ModalTitle>{t('login.title')}</ModalTitle>
      <ModalLead>{t(`login.${loginLeadOf(search)}`)}</ModalLead>
      <LoginForm problem={problem} onDone={(done) => void afterLogin(done)} />
    </>
  );
}
