import { inSeconds } from '@clearframe/contract';
import { z } from 'zod';
import { signedCookie } from '../../session/cookies.server';

/**
 * A guest's address: for the form, should the payment be cancelled, and to name it afterwards. Not in a URL: those are
 * logged.
 */
export const receiptCookie = signedCookie('receipt', inSeconds.hours(1), z.string().min(1));
