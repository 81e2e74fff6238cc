/** Billing time. In memory, because it is read within transactions. */
export abstract class BillingClock {
  abstract now(): Date;
}

export class SystemClock extends BillingClock {
  override now(): Date {
    return new Date();
  }
}
