-- A stipend's evidence is about 1.5 kB. Compressing it cost a tenth of a week of ten thousand people.
alter table stipend_eligibility set (toast_tuple_target = 4080);
