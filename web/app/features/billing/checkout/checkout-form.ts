import { EmailAddress } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { CAPTCHA_FIELD } from '../payment/captcha';
import type { PayMethod } from '../payment/order';

/** What the order asks of its form. */
export interface CheckoutQuestions {
  /** There is a field for the email address of the receipt. */
  readonly asksForEmail: boolean;
  /** Downloads would be lost, which the buyer has to agree to. */
  readonly asksForForfeit: boolean;
}

const flag = z
  .string()
  .optional()
  .transform((value) => value === 'true');

/** What the checkout's address and its form say about an order. */
const orderFields = {
  /** An unknown price is refused with the page that says so. */
  priceId: z.string().default(''),
  taskId: z.string().nullable().default(null),
  freeTrialEnabled: flag,
  /** The intro offer was refused before. */
  withoutIntro: flag,
};

const checkoutForm = ({ asksForEmail, asksForForfeit }: CheckoutQuestions) =>
  z.object({
    ...orderFields,
    method: z.enum(['card', 'wallet'] satisfies PayMethod[]).catch('card'),
    /** Identifies this attempt to pay; a repeated form pays once. */
    attempt: z.uuid().optional().catch(undefined),
    withIntroPrice: flag,
    emailReminderEnabled: flag,
    agreesToForfeit: asksForForfeit ? z.literal('true').transform(() => true) : flag,
    receiptEmail: asksForEmail
      ? z
          .string()
          .optional()
          .transform((text) => text?.trim() || null)
          .pipe(EmailAddress.nullable())
      : z
          .string()
          .optional()
          .transform(() => null),
    [CAPTCHA_FIELD]: z.string().optional(),
  });

export type OrderFields = z.output<z.ZodObject<typeof orderFields>>;
export type CheckoutFields = z.output<ReturnType<typeof checkoutForm>>;

/** Reads the order that an address or a form names. */
export const parseOrder = (fields: URLSearchParams) => parseWithZod(fields, { schema: z.object(orderFields) });

/** Reads the form that pays, in the action and in the browser. */
export const parseCheckout = (fields: FormData | URLSearchParams, questions: CheckoutQuestions) =>
  parseWithZod(fields, { schema: checkoutForm(questions) });
