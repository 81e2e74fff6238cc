import { EmailAddress } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { CAPTCHA_FIELD } from '../captcha/captcha-field';
import type { PaymentMethod } from './return-parameters';

export interface CheckoutQuestions {
  readonly asksForEmail: boolean;
  readonly asksForForfeit: boolean;
}

const flag = z
  .string()
  .optional()
  .transform((value) => value === 'true');

const orderFields = {
  /** Unknown prices get an error page. */
  priceId: z.string().default(''),
  taskId: z.string().nullable().default(null),
  freeTrialEnabled: flag,
  /** Set after the intro offer was refused. */
  withoutIntro: flag,
};

const checkoutForm = ({ asksForEmail, asksForForfeit }: CheckoutQuestions) =>
  z.object({
    ...orderFields,
    method: z.enum(['card', 'wallet'] satisfies PaymentMethod[]).catch('card'),
    /** Identifies this attempt to pay; a repeated form pays once. */
    attempt: z.uuid().optional().catch(undefined),
    /** Methods with a form in the page, which needs no other one. */
    inPage: z.array(z.string()).default([]),
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

export const parseOrder = (fields: URLSearchParams) => parseWithZod(fields, { schema: z.object(orderFields) });

export const parseCheckout = (fields: FormData | URLSearchParams, questions: CheckoutQuestions) =>
  parseWithZod(fields, { schema: checkoutForm(questions) });
