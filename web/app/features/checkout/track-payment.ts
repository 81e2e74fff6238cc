import type { OperationDetails, TrackingData } from '@clearframe/contract';
import { track } from '../../telemetry/telemetry';

type Step = Pick<TrackingData<'payment'>, 'operation' | 'errorCode'>;

/** Tracks a payment in the page's form; the return page tracks its success. @param returnPath names the price */
export function trackPayment(
  returnPath: string,
  method: OperationDetails<'payment'>['method'],
  step: Step | 'started',
): void {
  const priceId = new URL(returnPath, location.origin).searchParams.get('priceId') ?? '';
  track('payment', { ...(step === 'started' ? { operation: step } : step), priceId, method });
}
