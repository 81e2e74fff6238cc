import { useSearchParams } from '@remix-run/react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { LoginDone } from '../login/login-flow';
import { LoginForm } from '../login/login-form';
import { useAfterLogin } from '../login/use-after-login';
import { broadcastVisitorChange } from '../login/visitor-updates';
import type { ModalBodyProps } from '../modals/catalogue';
import { PaywallStep } from './paywall-step';
import { firstStep, needsPaywall, type OnboardingStep } from './steps';

/** The get-started modal (spec 1, section 2): log in, then choose or skip a plan. */
export function OnboardingModal(props: ModalBodyProps<'user:onboarding'>) {
  const { loginOnly, forceLogin, previousAction, member, offers, modal } = props;
  const { t } = useTranslation('onboarding');
  const { mode } = useModalFrame();
  const continueAfterLogin = useAfterLogin();
  const [query] = useSearchParams();
  const conditions = { options: { loginOnly, forceLogin }, hasRedeemCode: query.has('redeemCode') };
  const [state, setState] = useState<{ step: OnboardingStep; member: LoginDone | null }>(() => ({
    step: firstStep(member, conditions) ?? 'login',
    member,
  }));

  const finish = useCallback(() => void modal.close('finished'), [modal]);

  async function afterLogin(done: LoginDone): Promise<void> {
    // A waiting photo comes before the paywall.
    if (done.next !== null || !needsPaywall({ ...conditions, role: done.role })) {
      await continueAfterLogin(done, () => modal.close('loggedIn'));
    } else if (mode === 'page') {
      // Loads the page again, at the paywall.
      const rest = new URLSearchParams(query);
      rest.delete('forceLogin');
      window.location.replace(`/onboarding?${rest}`);
    } else {
      broadcastVisitorChange();
      setState({ step: 'paywall', member: done });
    }
  }

  if (state.step === 'paywall' && state.member) {
    return (
      <>
        <ModalTitle>{t('start.plansTitle')}</ModalTitle>
        <PaywallStep
          previousAction={previousAction}
          createdAt={state.member.createdAt}
          offers={offers}
          onDone={finish}
        />
      </>
    );
  }
  return (
    <>
      <ModalTitle>{t('start.title')}</ModalTitle>
      <ModalLead>{t('start.lead')}</ModalLead>
      <LoginForm onDone={(done) => void afterLogin(done)} />
    </>
  );
}
