export abstract class MailSite {
  abstract readonly publicUrl: string;
  /** Sender's address in one line; null leaves it out. */
  abstract readonly postalAddress: string | null;
}
