import { z } from 'zod';

// Zod would speed itself up with eval, which the strict content policy forbids.
z.config({ jitless: true });
