; Nothing is asserted.
(set-info :status sat)
(check-sat)
