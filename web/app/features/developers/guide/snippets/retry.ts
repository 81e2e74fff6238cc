import { Clearframe } from '@clearframe/client';

// Repeats what fails for a reason that passes; the key holds for another process, too.
const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance('photo.jpg', { format: 'png', idempotencyKey: 'order-1042-photo-2' });
await result.save('better.png');
